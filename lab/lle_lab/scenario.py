# SPDX-License-Identifier: GPL-2.0
"""The interface of scenarios.

A scenario is a class in a module of lle_lab/scenarios, or in a file of the user. The module's
docstring describes it: the first line in the list of scenarios, all of it on the page of results.
Keys are class attributes. All methods run on the host; the guest gets shell commands and files
(guest.py). With a key ARMS there is one run for each arm, and `self.arm` is its name.
"""
import abc
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import pathlib
import shutil
import sys

from . import keys, metrics, units
from .errors import Refused
from .faults import Faults
from .keys import Integer, OneOf
from .network import headroom

SCENARIOS = pathlib.Path(__file__).parent / "scenarios"
# in names of folders; a colon separates two files for a guest
SAFE = str.maketrans("/:", "_=")


class Scenario(abc.ABC):
    """Base of all scenarios: keys that all have, and defaults of methods."""

    SEED = Integer(1, 1, 2147483647, "all that is random follows from it")
    FAULT = Faults("", "what fails, and when: KIND:NAME[:VALUE]@BEGIN[+LENGTH], with commas")
    CAPTURE = keys.CAPTURE("")
    QUEUES = keys.QUEUES("")
    PAUSES = keys.PAUSES("no")
    CONGESTED = keys.CONGESTED("no")
    PARTS = Integer(0, 0, 16, "kernels that share the network, each a process")
    TRANSPORT = OneOf("memory", "memory mpi",
                      "how kernels exchange frames; mpi: on machines of a Slurm cluster")

    # of the present call: the name of the arm, and the number of the run
    arm, run = None, 1

    def __init_subclass__(cls):
        # a key of a base that is a constant here is no key
        cls.keys = {name: getattr(cls, name) for base in reversed(cls.__mro__)
                    for name, key in vars(base).items()
                    if isinstance(key, keys.Key) and isinstance(getattr(cls, name), keys.Key)}
        cls.source = inspect.getfile(cls)
        cls.name = pathlib.Path(cls.source).stem.replace("_", "-")

    def __init__(self, **texts):
        """Takes the texts of keys; raises Refused."""
        for name in texts:
            if name not in self.keys:
                near = difflib.get_close_matches(name.upper(), self.keys, 1)
                raise Refused(f"{self.name} has no key '{name}'; it has: {' '.join(self.keys)}" +
                              (f"; did you mean {near[0]}?" if near else ""))
        try:
            self.take(texts)
            if self.TRANSPORT == "mpi":
                self.check_mpi()
            if self.PARTS > 1 and self.faults():
                self.refuse("FAULT", "needs PARTS of 0 or 1")
            self.limits()
        except Refused as why:
            raise Refused(f"{self.name}: {why}") from None

    def take(self, texts):
        """Sets all keys, to these texts or their defaults."""
        self.texts = {name: texts.get(name, key.default) for name, key in self.keys.items()}
        for name, key in self.keys.items():
            text = self.texts[name]
            # a key without a default may be left out
            empty = not text and not key.default
            setattr(self, name, key.nothing if empty else key.parse(text, self))

    @classmethod
    def again(cls, texts):
        """A scenario whose results are drawn: files that keys name may be gone."""
        self = cls.__new__(cls)
        self.take({name: text for name, text in texts.items()
                   if not isinstance(cls.keys[name], keys.Path) or pathlib.Path(text).is_file()})
        return self

    @classmethod
    def describe(cls):
        """Yields (KEY=DEFAULT, range and meaning)."""
        self = cls.__new__(cls)     # a required file has no default
        self.take({})
        for name, key in cls.keys.items():
            yield f"{name}={key.default}", key.describe(self)

    def check_mpi(self):
        if self.PARTS < 2:
            self.refuse("TRANSPORT", "needs PARTS of 2 or more")
        if not shutil.which("srun") or not shutil.which("mpicc"):
            self.refuse("TRANSPORT", "needs Slurm and Open MPI (scripts/deps.sh mpi)")

    @property
    def arms(self):
        return getattr(self, "ARMS", [])

    def each_run(self):
        """Iterates over (arm, number) of all runs, which self.arm and self.run name meanwhile."""
        try:
            for self.arm in self.arms or [None]:
                for self.run in range(1, self.repeats() + 1):
                    yield self.arm, self.run
        finally:
            self.arm, self.run = None, 1

    def folder(self):
        """The name of the folder of results: SEED, and keys that are not at their defaults."""
        own = [f"{name}={text}," for name, text in self.texts.items()
               if name != "SEED" and text != self.keys[name].default]
        name = "".join(own).translate(SAFE) + f"SEED={self.SEED}"
        # the name of a folder has at most 255 characters
        if len(name) > 200:
            name = f"{name[:160]},{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        return name

    def defaults(self, names):
        """Have these keys their defaults? For expectations that were measured with them."""
        return all(self.texts[name] == self.keys[name].default for name in names.split())

    def refuse(self, key, reason):
        raise Refused(f"{key}={self.texts[key]}: {reason}")

    def limit(self, key, least, most, why=None):
        """Refuses a value outside of a range that depends on other keys; ends are texts."""
        read = self.keys[key].read
        if not read(str(least)) <= getattr(self, key) <= read(str(most)):
            self.refuse(key, f"not from {least} to {most} ({why or self.keys[key].help})")

    def limit_buffer(self, ports):
        """Half of a switch's BUFFER must hold the headroom of its ports, or packets are lost."""
        self.limit("BUFFER", 2 * ports * headroom(self.RATE, self.DELAY, self.MTU), "1g",
                   f"half of it is headroom of {ports} ports, with these RATE, DELAY and MTU")

    def limit_delay(self, ports, text):
        """The same for DELAY, of a switch with a buffer that is no key."""
        room = units.size(text) // 2 // ports - headroom(self.RATE, 0, self.MTU)
        self.limit("DELAY", "0ns", f"{max(0, round(room * 4e9 / self.RATE))}ns",
                   f"half of a buffer of {text} is headroom of {ports} ports, "
                   "with these RATE and MTU")

    # What a scenario defines. Only network(), flows() and seconds() have no default.

    def limits(self):
        """Refuses keys that do not fit together."""

    def faults(self):
        """Returns the faults of each run."""
        return self.FAULT

    def seeds(self):
        """Returns the number of seeds, each of which is a run of a sweep."""
        return 1

    def repeats(self):
        """Returns the number of runs of an arm, each with a network and flows of its own."""
        return 1

    def begin(self):
        """Comes before network() and flows(): draws what differs between runs."""

    @abc.abstractmethod
    def network(self):
        """Returns the Network of this arm and run."""

    def modules(self):
        """Returns parameters of lossless.ko: a dictionary."""
        return {"dcfit": 1} if getattr(self, "MODE", None) == "dcfit" else {}

    def nic(self):
        """Returns parameters of lle_rnic.ko: a dictionary."""
        return {}

    @abc.abstractmethod
    def flows(self):
        """Yields flows: lines of lle_rnic.ko, see flows.flow()."""

    @abc.abstractmethod
    def seconds(self):
        """Returns the virtual time in which packets are sent, in s; math.inf: until traffic()
        ends."""

    def busy(self):
        """Returns the seconds in which most packets are sent, for the time left; None: not
        known."""
        return self.seconds()

    def prepare(self):
        """Yields commands of the guest that insert lle_rnic.ko and give it the flows."""
        yield "insert_rnic"
        yield "load_flows"

    def traffic(self):
        """Yields commands of the guest that let the flows run."""
        yield f"run_flows {self.seconds()}"

    def guest_options(self):
        """Returns further options of uml-run.sh, for files and programs of the guest."""
        return []

    def metrics(self, run):
        """Yields pairs of a name and a number, from the files of an arm."""
        yield from metrics.losses(run)
        yield from metrics.flow_times(run)

    def compare(self, m):
        """Yields further metrics, from those of all arms."""
        return ()

    def expectations(self, m):
        """Yields what has to hold, such as "dropped == 0"."""
        return ()

    # Further ones: methods with @plots.picture(CAPTION), which draw a plot of the results.


def names():
    """Names of all scenarios; files with common parts begin with an underscore."""
    return sorted(path.stem.replace("_", "-") for path in SCENARIOS.glob("[a-z]*.py"))


def module_of(name):
    """Imports the module of a scenario: its name, or the path of a file."""
    if not name.endswith(".py"):
        if name not in names():
            near = difflib.get_close_matches(name, names(), 1)
            raise Refused(f"there is no scenario '{name}'" +
                          (f"; did you mean {near[0]}?" if near else " (see lle-lab list)"))
        return importlib.import_module(f"lle_lab.scenarios.{name.replace('-', '_')}")
    path = pathlib.Path(name)
    if not path.is_file():
        raise Refused(f"there is no file '{name}'")
    # modules beside it can be imported
    path = path.parent.resolve() / path.name
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (SyntaxError, ImportError, NameError) as why:
        raise Refused(f"{name}: {why}") from None
    return module


def load(name):
    """Returns the class of a scenario: its name, or the path of a file."""
    module = module_of(name)
    found = [cls for cls in vars(module).values() if inspect.isclass(cls)
             and issubclass(cls, Scenario) and cls.__module__ == module.__name__]
    if not found:
        raise Refused(f"{name}: no class of Scenario")
    if missing := found[-1].__abstractmethods__:
        raise Refused(f"{name}: {found[-1].__name__} needs {', '.join(sorted(missing))}()")
    return found[-1]


def create(words):
    """Returns the object of a scenario from NAME [KEY=VALUE...]."""
    name, *pairs = words
    cls = load(name)
    for pair in pairs:
        if "=" not in pair:
            raise Refused(f"{cls.name} has no key '{pair}'; it has: {' '.join(cls.keys)}")
    return cls(**dict(pair.split("=", 1) for pair in pairs))
