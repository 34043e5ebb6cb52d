"""The library without `await`: one event loop on a thread of its own."""
