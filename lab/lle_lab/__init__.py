# SPDX-License-Identifier: GPL-2.0
"""The lab: experiments with LLE in virtual time. What a scenario and a notebook import."""
from . import keys, metrics                                      # noqa: F401
from .errors import Refused                                  # noqa: F401
from .fattree import FatTree                                     # noqa: F401
from .flows import (Draws, address, flow, pattern, payload_bps,  # noqa: F401
                    seconds_needed)
from .keys import (Integer, Integers, ListOf, Names, Number, Numbers, OneOf,  # noqa: F401
                   Path, Percent, Rate, Size, Time)
from .lazy import numpy                                          # noqa: F401
from .network import Network, Topology, dcqcn_marks, ecn, headroom, link_mtu  # noqa: F401
from .results import load                                        # noqa: F401
from .scenario import Scenario                                   # noqa: F401
