-- SPDX-License-Identifier: GPL-2.0
--
-- Congestion notifications of regional congestion mitigation (RCM), for
-- Wireshark and tshark:
--
--	tshark -X lua_script:lle_cn.lua -r FILE -Y 'rcm.name == 0xd5a1c30f'
--
-- Format: include/uapi/linux/lossless_frame.h, struct lle_cn_frame

local ETHERTYPE_CN = 0x88b6
local MACC_ADDR = "01:80:c2:00:00:01"

local CN_VERSION = 1
local CN_LEN = 18		-- without names
local CN_NAMES = 128
local NAME_LEN = 4

local cn = Proto("rcm", "RCM congestion notification")

local C = {
	version = ProtoField.uint16("rcm.version", "Version", base.DEC, nil, 0xf000),
	fb = ProtoField.uint16("rcm.fb", "Degree of congestion, quantized F_b'", base.DEC,
		nil, 0x003f),
	fb_reserved = ProtoField.uint16("rcm.fb.reserved", "Reserved", base.HEX, nil, 0x0fc0),
	switch = ProtoField.uint32("rcm.switch", "Switch"),
	port = ProtoField.uint32("rcm.port", "Port (ifindex)"),
	prio = ProtoField.uint16("rcm.prio", "Priority", base.DEC, nil, 0xe000),
	prio_reserved = ProtoField.uint16("rcm.prio.reserved", "Reserved", base.HEX, nil, 0x1fff),
	class_held = ProtoField.bool("rcm.class_held",
		"Hold all recently listed destinations", 16, nil, 0x8000),
	flags_reserved = ProtoField.uint16("rcm.flags.reserved", "Reserved", base.HEX, nil,
		0x7f00),
	count = ProtoField.uint16("rcm.count", "Names", base.DEC, nil, 0x00ff),
	seq = ProtoField.uint32("rcm.seq", "Number"),
	name = ProtoField.uint32("rcm.name", "Destination to hold", base.HEX),
}
cn.fields = C

local ignored = ProtoExpert.new("rcm.ignored", "Switches ignore it", expert.group.PROTOCOL,
	expert.severity.WARN)
local cut_short = ProtoExpert.new("rcm.cut_short", "Not all of it was captured",
	expert.group.MALFORMED, expert.severity.WARN)
cn.experts = { ignored, cut_short }

local get_dst = Field.new("eth.dst")

-- Why a switch ignores a notification; nil if it does not
local function why_ignored(tvb, count)
	if tvb(0, 2):bitfield(0, 4) ~= CN_VERSION then
		return "version is not known"
	elseif count > CN_NAMES then
		return "more names than there may be"
	elseif tvb:reported_len() < CN_LEN + count * NAME_LEN then
		return "its frame has no room for its names"
	end
end

-- Add the names that were captured. Returns them as text.
local function add_names(tree, tvb, count)
	local captured = math.floor((tvb:captured_len() - CN_LEN) / NAME_LEN)
	local names = {}

	for n = 1, math.min(count, captured) do
		local name = tvb(CN_LEN + (n - 1) * NAME_LEN, NAME_LEN)

		tree:add(C.name, name)
		names[n] = ("0x%08x"):format(name:uint())
	end
	return table.concat(names, ", ")
end

-- A notification as one line
local function line(tvb, count, names)
	local text = ("p%d F_b %d"):format(tvb(10, 2):bitfield(0, 3), tvb(0, 2):bitfield(10, 6))

	if count > 0 then
		text = text .. ", hold " .. names
	end
	if tvb(12, 2):bitfield(0, 1) == 1 then
		text = text .. ", hold all recently listed destinations"
	elseif count == 0 then
		text = text .. ", hold nothing"
	end
	return text
end

local function dissect(tvb, root)
	if tvb:captured_len() < CN_LEN then
		local what = tvb:captured_len() < tvb:reported_len() and cut_short or ignored

		root:add(cn, tvb()):add_proto_expert_info(what)
		return "cut short"
	end

	local count = tvb(12, 2):bitfield(8, 8)
	local len = CN_LEN + count * NAME_LEN
	local tree = root:add(cn, tvb(0, math.min(len, tvb:captured_len())))

	tree:add(C.version, tvb(0, 2))
	tree:add(C.fb_reserved, tvb(0, 2))
	tree:add(C.fb, tvb(0, 2))
	tree:add(C.switch, tvb(2, 4))
	tree:add(C.port, tvb(6, 4))
	tree:add(C.prio, tvb(10, 2))
	tree:add(C.prio_reserved, tvb(10, 2))
	tree:add(C.class_held, tvb(12, 2))
	tree:add(C.flags_reserved, tvb(12, 2))
	tree:add(C.count, tvb(12, 2))
	tree:add(C.seq, tvb(14, 4))
	local names = add_names(tree, tvb, count)

	local why = why_ignored(tvb, count)
	if why then
		tree:add_proto_expert_info(ignored, "Switches ignore it: " .. why)
	end
	if tvb:captured_len() < math.min(len, tvb:reported_len()) then
		tree:add_proto_expert_info(cut_short)
	end
	local text = line(tvb, count, names)
	tree:append_text(", " .. text)
	return text
end

-- The ethertype is for local experiments: only frames to MACC_ADDR are RCM
function cn.dissector(tvb, pinfo, root)
	local dst = { get_dst() }

	if #dst == 0 or tostring(dst[#dst]) ~= MACC_ADDR or tvb:captured_len() == 0 then
		return 0
	end
	pinfo.cols.protocol = "RCM"
	pinfo.cols.info = dissect(tvb, root)
	return tvb:captured_len()
end

DissectorTable.get("ethertype"):add(ETHERTYPE_CN, cn)
