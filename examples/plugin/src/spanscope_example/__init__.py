"""What a package can add to Spanscope; each module is one thing, and none is loaded before it is asked for."""
