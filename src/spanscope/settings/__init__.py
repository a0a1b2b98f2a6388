"""What a run was asked to do: options, protocols, the signature."""
