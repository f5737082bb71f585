# webob 1.8.7 1.8.8 --check stdout:/Location/ legacy-cgi
from __future__ import annotations

from webob import Request, Response


def application(environ, start_response):
    response = Response(status=302, location="//evil.example/login")
    return response(environ, start_response)


answer = Request.blank("/after").get_response(application)
print(answer.status)
print("Location", answer.headers["Location"])
