-- SPDX-License-Identifier: GPL-2.0
--
-- PFC frames, and DCFIT messages in their pads and in frames of their own, for
-- Wireshark and tshark:
--
--	tshark -X lua_script:lle.lua -r FILE -Y 'dcfit.type == 1'
--
-- Wireshark's dissector of 0x8808 stays in place, with its names (macc). A call
-- from here is not possible: on a frame that is too short it leaves Lua without
-- a return, and after 200 such frames Lua is out of stack. So PFC is dissected
-- after it.
--
-- Formats: include/uapi/linux/lossless_frame.h, Documentation/guide/deadlock-wire.rst

local ETHERTYPE_DCFIT = 0x88b5
local MACC_OP_PFC = 0x0101
local MACC_ADDR = "01:80:c2:00:00:01"
local PRIOS = 8
local PFC_LEN = 20		-- opcode, vector, quanta; the pad is behind it

local DCFIT_MAGIC = 0xdc
local DCFIT_VERSION = 1
local DCFIT_LEN = 26
local DCFIT_CRC = 24
local DCFIT_IDS = 2
local DCFIT_PORTS = 64
local DCFIT_HOPS = 64
local HOP_LEN = 22
local IDS_AT = { 6, 11 }
local PORTS_AT = { 8, 13, 18, 21 }

-- By type: name, minimum and maximum number of initiators; smallest: it has the
-- smallest initiator; walk: hops follow; resolve: it goes to the trigger
local TYPES = {
	[0] = { "none", 0, 0 },
	[1] = { "probe", 1, 2, smallest = true },
	[2] = { "cancel", 0, 1 },
	[3] = { "broken", 0, 0 },
	[4] = { "check", 1, 1 },
	[5] = { "consistency", 1, 1 },
	[6] = { "walk", 1, 1, walk = true },
	[7] = { "resolve", 0, 0, resolve = true },
}
local type_names = {}
for number, kind in pairs(TYPES) do
	type_names[number] = kind[1]
end

local pfc = Proto("pfc", "Priority Flow Control")
local dcfit = Proto("dcfit", "DCFIT")

local P = {
	enable = ProtoField.uint16("pfc.class_enable", "Class enable vector", base.HEX),
	reserved = ProtoField.uint16("pfc.class_enable.reserved", "Reserved", base.HEX,
		nil, 0xff00),
	class = {},
	quanta = {},
}
pfc.fields = { P.enable, P.reserved }
for prio = 0, PRIOS - 1 do
	P.class[prio] = ProtoField.bool("pfc.class_enable.c" .. prio, "Class " .. prio, 16,
		nil, 2 ^ prio)
	P.quanta[prio] = ProtoField.uint16("pfc.quanta.c" .. prio, "Class " .. prio)
	pfc.fields = { P.class[prio], P.quanta[prio] }
end

local D = {
	magic = ProtoField.uint8("dcfit.magic", "Magic", base.HEX),
	version = ProtoField.uint8("dcfit.version", "Version", base.DEC, nil, 0xf0),
	type = ProtoField.uint8("dcfit.type", "Type", base.DEC, type_names, 0x0f),
	prio = ProtoField.uint8("dcfit.prio", "Priority", base.DEC, nil, 0xe0),
	num_ids = ProtoField.uint8("dcfit.num_ids", "Initiators", base.DEC, nil, 0x18),
	waits = ProtoField.bool("dcfit.waits", "Initiator waits for others, too", 8, nil, 0x04),
	trigger_host = ProtoField.bool("dcfit.trigger.host", "Trigger is a host", 8, nil, 0x02),
	reserved = ProtoField.uint8("dcfit.reserved", "Reserved", base.DEC, nil, 0x01),
	hops = ProtoField.uint8("dcfit.hops", "Hops"),
	hop_epoch = ProtoField.uint16("dcfit.hop_epoch", "Pause of the sender"),
	id = ProtoField.string("dcfit.id", "Initiator"),
	id_switch = ProtoField.uint16("dcfit.id.switch", "Switch"),
	id_port = ProtoField.uint8("dcfit.id.port", "Port"),
	id_seq = ProtoField.uint16("dcfit.id.seq", "Number"),
	min = ProtoField.string("dcfit.min", "Smallest on the way"),
	min_switch = ProtoField.uint16("dcfit.min.switch", "Switch"),
	min_port = ProtoField.uint8("dcfit.min.port", "Port"),
	trigger = ProtoField.string("dcfit.trigger", "Initial trigger"),
	trigger_switch = ProtoField.uint16("dcfit.trigger.switch", "Switch"),
	trigger_port = ProtoField.uint8("dcfit.trigger.port", "Port"),
	trigger_seq = ProtoField.uint16("dcfit.trigger.seq", "Number"),
	target = ProtoField.uint16("dcfit.target", "Goes to switch"),
	hop = ProtoField.string("dcfit.hop", "Hop"),
	hop_switch = ProtoField.uint16("dcfit.hop.switch", "Switch"),
	hop_ingress = ProtoField.uint8("dcfit.hop.ingress", "Ingress, which pauses its peer"),
	hop_egress = ProtoField.uint8("dcfit.hop.egress", "Egress, where packets wait"),
	hop_bytes = ProtoField.uint32("dcfit.hop.bytes", "Bytes that wait"),
	hop_age = ProtoField.uint64("dcfit.hop.age_ns", "Has paused for (ns)"),
	hop_trigger = ProtoField.string("dcfit.hop.trigger", "Initial trigger"),
	hop_trigger_switch = ProtoField.uint16("dcfit.hop.trigger.switch", "Switch"),
	hop_trigger_port = ProtoField.uint8("dcfit.hop.trigger.port", "Port"),
	hop_trigger_seq = ProtoField.uint16("dcfit.hop.trigger.seq", "Number"),
	hop_trigger_host = ProtoField.bool("dcfit.hop.trigger.host", "Trigger is a host"),
	crc = ProtoField.uint16("dcfit.crc", "CRC", base.HEX),
	crc_status = ProtoField.uint8("dcfit.crc.status", "CRC status", base.DEC,
		{ [0] = "bad", [1] = "good" }),
}
dcfit.fields = D

local bad_crc = ProtoExpert.new("dcfit.crc.bad", "CRC is wrong", expert.group.CHECKSUM,
	expert.severity.ERROR)
local ignored = ProtoExpert.new("dcfit.ignored", "Switches ignore it", expert.group.PROTOCOL,
	expert.severity.WARN)
local cut_short = ProtoExpert.new("dcfit.cut_short", "Not all of it was captured",
	expert.group.MALFORMED, expert.severity.WARN)
dcfit.experts = { bad_crc, ignored, cut_short }

-- CRC-16/IBM-3740
local function crc16(range)
	local bytes, crc = range:bytes(), 0xffff

	for at = 0, bytes:len() - 1 do
		crc = bit.bxor(crc, bit.lshift(bytes:get_index(at), 8))
		for _ = 1, 8 do
			local carry = bit.band(crc, 0x8000) ~= 0

			crc = bit.band(bit.lshift(crc, 1), 0xffff)
			if carry then
				crc = bit.bxor(crc, 0x1021)
			end
		end
	end
	return crc
end

-- Add an ID of five octets: switch, port, number. Returns it as text.
local function add_id(tree, range, what, text)
	local switch, port, seq = range(0, 2), range(2, 1), range(3, 2)
	local id = ("%s%d/%d#%d"):format(text, switch:uint(), port:uint(), seq:uint())

	if switch:uint() == 0 then
		id = "none"
	end
	tree = tree:add(D[what], range, id)
	tree:add(D[what .. "_switch"], switch)
	tree:add(D[what .. "_port"], port)
	tree:add(D[what .. "_seq"], seq)
	return id
end

-- Add the smallest initiator, three octets: switch, port; a walk has its number
-- instead of the port. Returns it as text.
local function add_min(tree, range, kind)
	local switch, port = range(0, 2), range(2, 1)
	local min = ("%d/%d"):format(switch:uint(), port:uint())

	if kind.walk then
		min = ("number of the walk: %d"):format(port:uint())
	elseif not kind.smallest then
		min = "not used"
	elseif switch:uint() == 0 then
		min = "declared"
	end
	tree = tree:add(D.min, range, min)
	tree:add(D.min_switch, switch)
	tree:add(D.min_port, port)
	return min
end

-- Add a hop that a switch has appended to a walk. Returns the switch's number.
local function add_hop(tree, range)
	local switch, ingress, egress = range(0, 2), range(2, 1), range(3, 1)
	local bytes, age, host = range(4, 4), range(8, 8), range(21, 1)
	local is_host = host:uint() == 1

	tree = tree:add(D.hop, range,
		("%d: %d -> %d"):format(switch:uint(), ingress:uint(), egress:uint()))
	tree:add(D.hop_switch, switch)
	tree:add(D.hop_ingress, ingress)
	tree:add(D.hop_egress, egress)
	tree:add(D.hop_bytes, bytes)
	tree:add(D.hop_age, age)
	local trigger = add_id(tree, range(16, 5), "hop_trigger", is_host and "host at " or "")
	tree:add(D.hop_trigger_host, host, is_host)
	tree:append_text((", %d bytes wait, paused for %s ns, trigger %s"):format(bytes:uint(),
		tostring(age:uint64()), trigger))
	return switch:uint()
end

-- Add the captured hops behind a walk. Returns their switches as text.
local function add_hops(tree, tvb, hops)
	local captured = math.floor((tvb:captured_len() - DCFIT_LEN) / HOP_LEN)
	local switches = {}

	for n = 1, math.min(hops, captured) do
		switches[n] = add_hop(tree, tvb(DCFIT_LEN + (n - 1) * HOP_LEN, HOP_LEN))
	end
	return table.concat(switches, ", ")
end

-- Why a switch does not act on a message in a frame of its own; nil if it does
local function why_undone(tvb, kind, hops, host)
	if kind.walk and hops >= DCFIT_HOPS - 1 then
		return "too many hops"
	elseif kind.walk and tvb:reported_len() < DCFIT_LEN + hops * HOP_LEN then
		return "the frame is too short for its hops"
	elseif kind.resolve and not host then
		return "its trigger is not a host"
	end
end

-- Why a switch ignores a message with a correct CRC; nil if it does not
local function why_ignored(tvb, kind, num)
	if tvb(1, 1):bitfield(0, 4) ~= DCFIT_VERSION then
		return "version is not known"
	elseif not kind[1] then
		return "type is not known"
	elseif num < kind[2] or num > kind[3] then
		return "number of initiators does not fit the type"
	end
	for n = 1, num do
		if tvb(IDS_AT[n], 2):uint() == 0 then
			return "an initiator has switch number 0"
		end
	end
	for _, at in ipairs(PORTS_AT) do
		if tvb(at, 1):uint() >= DCFIT_PORTS then
			return "no switch has such a port"
		end
	end
	if kind.resolve and tvb(19, 2):uint() == 0 then
		return "its trigger has switch number 0"
	end
end

-- Add the faults of a message of len octets; why: reason why switches ignore it
local function add_faults(tree, tvb, len, why)
	local good = crc16(tvb(0, DCFIT_CRC)) == tvb(DCFIT_CRC, 2):uint()

	tree:add(D.crc_status, good and 1 or 0):set_generated()
	if not good then
		tree:add_proto_expert_info(bad_crc)
	elseif why then
		tree:add_proto_expert_info(ignored, "Switches ignore it: " .. why)
	end
	if tvb:captured_len() < math.min(len, tvb:reported_len()) then
		tree:add_proto_expert_info(cut_short)
	end
end

-- A message at the start of the buffer, in a frame of its own or in a pad. A
-- pad has no room for hops: of a walk there, only the trigger counts. Returns
-- the message as one line; nil: it is none.
local function dissect_dcfit(tvb, root, alone)
	if tvb:captured_len() == 0 or tvb(0, 1):uint() ~= DCFIT_MAGIC then
		return nil
	end
	if tvb:captured_len() < DCFIT_LEN then
		root:add(dcfit, tvb()):add_proto_expert_info(cut_short)
		return "cut short"
	end

	local kind = TYPES[tvb(1, 1):bitfield(4, 4)] or { nil, 0, DCFIT_IDS }
	local num = tvb(2, 1):bitfield(3, 2)
	local host = tvb(2, 1):bitfield(6, 1) == 1
	local hops = tvb(3, 1):uint()
	local len = DCFIT_LEN + (kind.walk and hops * HOP_LEN or 0)
	local tree = root:add(dcfit, tvb(0, math.min(len, tvb:captured_len())))
	local ids, passed = {}, ""

	tree:add(D.magic, tvb(0, 1))
	tree:add(D.version, tvb(1, 1))
	tree:add(D.type, tvb(1, 1))
	tree:add(D.prio, tvb(2, 1))
	tree:add(D.num_ids, tvb(2, 1))
	tree:add(D.waits, tvb(2, 1))
	tree:add(D.trigger_host, tvb(2, 1))
	tree:add(D.reserved, tvb(2, 1))
	tree:add(D.hops, tvb(3, 1))
	tree:add(D.hop_epoch, tvb(4, 2))
	for n = 1, math.min(num, DCFIT_IDS) do
		ids[n] = add_id(tree, tvb(IDS_AT[n], 5), "id", "")
	end
	local min = add_min(tree, tvb(16, 3), kind)
	local trigger = add_id(tree, tvb(19, 5), "trigger", host and "host at " or "")
	if alone and kind.resolve then
		tree:add(D.target, tvb(19, 2)):set_generated()
	end
	tree:add(D.crc, tvb(DCFIT_CRC, 2))
	if kind.walk then
		passed = add_hops(tree, tvb, hops)
	end

	add_faults(tree, tvb, len, why_ignored(tvb, kind, num) or
		alone and why_undone(tvb, kind, hops, host))

	local text = ("p%d %s"):format(tvb(2, 1):bitfield(0, 3), kind[1] or "unknown")
	if #ids > 0 then
		text = text .. " " .. table.concat(ids, " + ")
	end
	if kind.smallest then
		text = text .. ", smallest " .. min
	end
	if passed ~= "" then
		text = text .. ", past " .. passed
	end
	text = text .. ", trigger " .. trigger
	tree:append_text(", " .. text)
	return text
end

-- The meaning of a frame for a class
local function verdict(enabled, quanta)
	if not enabled then
		return "not enabled"
	end
	return quanta == 0 and "resume" or "pause"
end

-- A frame from its opcode on; it is long enough for a receiver to act on it.
local function dissect_pfc(tvb, pinfo, root)
	local tree = root:add(pfc, tvb(0, PFC_LEN))
	local enable, said = tvb(2, 2), {}
	local vector = tree:add(P.enable, enable)

	vector:add(P.reserved, enable)
	for prio = 0, PRIOS - 1 do
		local quanta = tvb(4 + 2 * prio, 2)
		local enabled = enable:bitfield(15 - prio, 1) == 1
		local what = verdict(enabled, quanta:uint())

		vector:add(P.class[prio], enable)
		tree:add(P.quanta[prio], quanta):append_text(" quanta (" .. what .. ")")
		if enabled then
			said[#said + 1] = ("p%d %s"):format(prio, what)
		end
	end
	tree:append_text(", " .. table.concat(said, ", "))
	pinfo.cols.info:append(": " .. table.concat(said, ", "))

	local text = tvb:captured_len() > PFC_LEN and dissect_dcfit(tvb(PFC_LEN):tvb(), root, false)
	if text then
		pinfo.cols.info:append("; DCFIT " .. text)
	end
end

local get_opcode = Field.new("macc.opcode")
local get_dst = Field.new("eth.dst")

function pfc.dissector(tvb, pinfo, root)
	local opcode = get_opcode()

	if opcode and opcode.value == MACC_OP_PFC and
	   tvb:captured_len() >= opcode.offset + PFC_LEN then
		dissect_pfc(tvb(opcode.offset):tvb(), pinfo, root)
	end
end

-- The ethertype is for local experiments: only frames to MACC_ADDR are DCFIT
function dcfit.dissector(tvb, pinfo, root)
	local dst = { get_dst() }
	local text = #dst > 0 and tostring(dst[#dst]) == MACC_ADDR and dissect_dcfit(tvb, root, true)

	if not text then
		return 0
	end
	pinfo.cols.protocol = "DCFIT"
	pinfo.cols.info = text
	return tvb:captured_len()
end

register_postdissector(pfc)
DissectorTable.get("ethertype"):add(ETHERTYPE_DCFIT, dcfit)
