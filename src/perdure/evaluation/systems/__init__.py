"""What is measured: perdure in its settings, and whoever is compared with it."""
