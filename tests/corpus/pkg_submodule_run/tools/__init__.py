from .. import STEPS
STEPS.append("tools")
