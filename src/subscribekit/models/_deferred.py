"""Models that are built when they are first used, by one thread at a time.

`defer_build` of pydantic does the first, too. But left in the configuration of a model, it also defers the adapters
that a web framework makes of the model, and those warn when they are built late. So it is set only while the class is
made.
"""

import os
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    DeferredModel = BaseModel
else:

    class _Deferred(type(BaseModel)):
        building = RLock()

        def __new__(cls, name, bases, namespace, **options):
            kind = super().__new__(cls, name, bases, namespace, defer_build=True, **options)
            del kind.model_config["defer_build"]
            return kind

    class DeferredModel(BaseModel, metaclass=_Deferred):
        """Base of models that are built when they are first used."""

        @classmethod
        @wraps(BaseModel.model_rebuild.__func__)
        def model_rebuild(cls, *, _parent_namespace_depth=2, **options):
            # In pydantic 2.12, two threads that build one model take its parts away from each other.
            with _Deferred.building:
                return super().model_rebuild(_parent_namespace_depth=_parent_namespace_depth + 1, **options)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: setattr(_Deferred, "building", RLock()))
