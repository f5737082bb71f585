# a program with a package of its own called stripe, and a module named like one of the standard library
import stripe
from stripe import charge
import types_ as types
print(charge(5, "EUR"), stripe.API, stripe.__name__)
print(types.kind(3))
import agent
print(agent.WHO)
