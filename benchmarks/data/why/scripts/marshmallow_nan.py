# marshmallow 4.3.1 4.4.0
from __future__ import annotations

from marshmallow import Schema, fields


class Job(Schema):
    name = fields.String(required=True)
    limit = fields.TimeDelta(precision="seconds")


for limit in (30, "soon", "nan"):
    print(limit, Job().validate({"name": "backup", "limit": limit}))
