"""What finds pages and files for research, a file each."""
