# SPDX-License-Identifier: GPL-2.0
"""Links between switches, from a wiring file or DEVICE_NEIGHBOR, and dependencies of pauses."""
import re

from .errors import Unreadable
from .reading import load, parse


def words(value):
    """Names in a part of LLDP's JSON: a text, {"value": text}, or lists of them."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return words(value.get("value", "")) if "value" in value else []
    if isinstance(value, list):
        return [word for part in value for word in words(part)]
    return []


def of_lldp(device, data):
    """(device, port, neighbour, port of it) of lldpcli's JSON."""
    interfaces = data.get("interface", data) if isinstance(data, dict) else data
    if isinstance(interfaces, dict):
        interfaces = [{name: about} for name, about in interfaces.items()]
    for entry in interfaces if isinstance(interfaces, list) else []:
        for port, about in entry.items() if isinstance(entry, dict) else []:
            if not isinstance(about, dict):
                continue
            chassis, other = about.get("chassis"), about.get("port")
            names = list(chassis) if isinstance(chassis, dict) and "name" not in chassis else \
                words(chassis.get("name", "")) if isinstance(chassis, dict) else []
            ports = []
            if isinstance(other, dict):
                ports = words(other.get("id", "")) + words(other.get("descr", ""))
            elif isinstance(about.get("name"), str):    # as DEVICE_NEIGHBOR
                names, ports = [about["name"]], words(other)
            for name in names[:1]:
                yield device, port, name, ports


def read(path, default=""):
    """(device, port, neighbour, [names of its port]) of a wiring file; routes of one."""
    device, equals, file = path.partition("=")
    if not equals:
        device, file = default, path
    data = parse(load(file), file)
    if isinstance(data, dict) and isinstance(data.get("lldp"), dict):
        return list(of_lldp(device, data["lldp"]))
    if isinstance(data, list):
        result = []
        for number, link in enumerate(data):
            if isinstance(link, list) and len(link) == 4 and \
                    all(isinstance(part, str) for part in link):
                result.append((link[0], link[1], link[2], [link[3]]))
            else:
                raise Unreadable("not a list of [device, port, device, port]", file, 0,
                                 str(number))
        return result
    if not isinstance(data, dict):
        raise Unreadable("neither LLDP nor a list of links", file, 1)
    result = []
    for name, part in data.items():
        inner = part.get("lldp", part) if isinstance(part, dict) else part
        result += of_lldp(name, inner)
    return result


def routes(path):
    """Lists of devices, from a JSON file."""
    data = parse(load(path), path)
    if not isinstance(data, list) or not all(
            isinstance(route, list) and all(isinstance(hop, str) for hop in route)
            for route in data):
        raise Unreadable("not a list of lists of devices", path, 1)
    return data


class Fabric:
    """Switches and the links between them: (switch, port, switch, port), both directions."""

    def __init__(self, switches, wires=(), paths=None, valley=False):
        self.switches, self.paths, self.valley = switches, paths, valley
        self.by_name = {switch.name: switch for switch in switches}
        found = {}
        declared = [(switch.name, port.name, port.neighbour, [port.neighbour_port])
                    for switch in switches for port in switch.ports.values() if port.neighbour]
        for name, port, neighbour, ports in [*wires, *declared]:
            one, other = self.by_name.get(name), self.by_name.get(neighbour)
            own = self.port(one, [port])
            peer = self.port(other, ports)
            if own is None or peer is None or own is peer:
                continue
            found.setdefault((one.name, own.name), (one, own, other, peer))
            found.setdefault((other.name, peer.name), (other, peer, one, own))
        self.links = [found[key] for key in sorted(found)]

    @staticmethod
    def port(switch, names):
        """The port of one of the names, or aliases."""
        if switch is None:
            return None
        for name in names:
            port = switch.ports.get(name) or switch.ports.get(switch.alias.get(name, ""))
            if port is not None:
                return port
        return None

    def tiers_known(self):
        return all(switch.tier() is not None for switch in self.switches)

    def sure(self):
        """Do routes or tiers say which way packets go?"""
        return self.paths is not None or self.valley or self.tiers_known()

    @staticmethod
    def bounces(switch):
        """Does the switch send packets from above up again (dual ToR)?"""
        return switch.meta.get("subtype") == "DualToR" or bool(switch.table("PEER_SWITCH")) or \
            any("TUNNEL" in name for name in switch.table("TC_TO_QUEUE_MAP"))

    @staticmethod
    def tunnel(switch, prio):
        """Priority of a bounced packet: the remap of the tunnel, else the same."""
        for table in ("TC_TO_PRIORITY_GROUP_MAP", "TC_TO_QUEUE_MAP"):
            for name, fields in switch.table(table).items():
                if "TUNNEL" in name and re.fullmatch(r"\d", fields.get(str(prio), "")):
                    return int(fields[str(prio)])
        return prio

    def onward(self, came, goes, switch, prio):
        """Priority that packets of one link have on another, or None."""
        below, above = came.tier(), goes.tier()
        own = switch.tier()
        if self.paths is not None:
            passes = any((came.name, switch.name, goes.name) == tuple(path[i:i + 3])
                         for path in self.paths for i in range(len(path) - 2))
            return prio if passes else None
        if self.valley or None in (below, above, own):
            return prio
        if below >= own and above >= own:
            # from above, or from an equal, up again
            if below == own or above == own:
                return prio if below <= own or above < own else None
            return self.tunnel(switch, prio) if self.bounces(switch) else None
        return prio

    def dependencies(self):
        """((from, to, port), priority) -> those whose pause it waits for."""
        into, out = {}, {}
        for one, port, other, peer in self.links:
            into.setdefault(other.name, []).append((one, peer))
            out.setdefault(one.name, []).append((other, port, peer))
        edges = {}
        for switch in self.switches:
            # links that lead to the same neighbour with the same priorities are alike
            seen = set()
            for came, peer in into.get(switch.name, []):
                for goes, own, far in out.get(switch.name, []):
                    kind = came.name, goes.name, peer.pfc, own.pfc, far.pfc
                    if kind in seen or came is goes and not (
                            self.bounces(switch) and came.tier() != switch.tier()):
                        continue
                    seen.add(kind)
                    for prio in peer.pfc:
                        then = self.onward(came, goes, switch, prio)
                        if then is not None and then in far.pfc and then in own.pfc:
                            edges.setdefault(((came.name, switch.name, ""), prio), set()).add(
                                ((switch.name, goes.name, ""), then))
        return edges


def cycle(edges):
    """Nodes of a cycle, or []; without recursion."""
    state = {}
    for start in edges:
        if start in state:
            continue
        path, stack = [], [(start, iter(sorted(edges.get(start, ()))))]
        state[start] = 1
        path.append(start)
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                path.pop()
                stack.pop()
            elif state.get(following) == 1:
                return path[path.index(following):]
            elif following not in state:
                state[following] = 1
                path.append(following)
                stack.append((following, iter(sorted(edges.get(following, ())))))
    return []
