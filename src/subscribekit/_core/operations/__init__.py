"""Operations as values: path templates, arguments, bodies, and what a response becomes. No I/O."""
