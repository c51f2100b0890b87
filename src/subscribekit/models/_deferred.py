"""Models that are built when they are first used.

`defer_build` of pydantic does that, too. But left in the configuration of a model, it also defers the adapters that a
web framework makes of the model, and those warn when they are built late. So it is set only while the class is made.
"""

from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    DeferredModel = BaseModel
else:

    class _Deferred(type(BaseModel)):
        def __new__(cls, name, bases, namespace, **options):
            kind = super().__new__(cls, name, bases, namespace, defer_build=True, **options)
            del kind.model_config["defer_build"]
            return kind

    class DeferredModel(BaseModel, metaclass=_Deferred):
        """Base of models that are built when they are first used."""
