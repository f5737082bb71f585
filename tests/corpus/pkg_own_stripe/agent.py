WHO = "the program's agent"
