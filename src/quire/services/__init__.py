"""What one can do: each public method of a service is a capability."""
