"""Shows each operation in the reference with the type of its result, and not with the type that describes it."""

import griffe


class Results(griffe.Extension):
    """Replaces `Operation[Payment]` by `Payment` and `Listing[Account]` by `Pager[Account]`."""

    def on_function(self, *, func: griffe.Function, **_: object) -> None:
        """Rewrite the return annotation of a method that `@operation` or `@listing` decorates."""
        decorators = {str(each.value) for each in func.decorators}
        if not decorators & {"operation", "listing"}:
            return
        annotation = func.returns
        if not isinstance(annotation, griffe.ExprSubscript):
            return
        if str(annotation.left) == "Operation":
            func.returns = annotation.slice
        elif str(annotation.left) == "Listing":
            annotation.left = griffe.ExprName("Pager", parent=func.parent)
