"""Python programs in WebAssembly, such as in a browser: recorded and replayed without processes."""
