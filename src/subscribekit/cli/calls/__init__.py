"""Operations as commands: which there are, their arguments, and the call."""
