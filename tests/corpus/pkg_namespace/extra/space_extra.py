value = "from extra"
