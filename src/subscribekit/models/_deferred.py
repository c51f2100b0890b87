"""Builds models when they are first used, in one thread at a time.

Pydantic's setting `defer_build` delays the build of a model until its first use. If `defer_build` stays in the
configuration of a model, web frameworks emit warnings, because their type adapters are deferred too. To avoid these
warnings, the SDK sets `defer_build` only while it creates the class of a model.
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
        """Base class of models that are built when they are first used."""

        @classmethod
        @wraps(BaseModel.model_rebuild.__func__)
        def model_rebuild(cls, *, _parent_namespace_depth=2, **options):
            # In pydantic 2.12, two threads that build the same model delete each other's attributes.
            with _Deferred.building:
                return super().model_rebuild(_parent_namespace_depth=_parent_namespace_depth + 1, **options)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: setattr(_Deferred, "building", RLock()))
