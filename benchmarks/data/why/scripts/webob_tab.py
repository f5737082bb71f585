# webob 1.8.9 1.8.10 --check stdout:/Location/ legacy-cgi
from __future__ import annotations

from webob import Request
from webob.exc import HTTPFound


def application(environ, start_response):
    answer = HTTPFound()
    answer.headers["Location"] = "/\t/evil.example/login"
    answer.location = answer._make_location_absolute(environ, answer.headers["Location"])
    return answer(environ, start_response)


print("Location", Request.blank("/after").get_response(application).headers["Location"])
