"""How a bundle lays memories into documents, one module a layout."""
