API = "payments"
from .charges import charge
