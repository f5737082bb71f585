-- Neovim drives `stripe debug` by its own event loop: nvim --headless -l is of 0.9, so it is sourced.
-- $STRIPE: the command; $FOLDER: where prog.py is. Writes what came of it to $FOLDER/told.
local stdin, stdout = vim.loop.new_pipe(), vim.loop.new_pipe()
local process = vim.loop.spawn(os.getenv("STRIPE"), { args = { "debug" }, stdio = { stdin, stdout, nil } }, function() end)
local number, pending, messages, told = 0, "", {}, {}

stdout:read_start(function(_, data)
  pending = pending .. (data or "")
  while true do
    local length, rest = pending:match("^Content%-Length: (%d+)\r\n\r\n(.*)$")
    if not length or #rest < tonumber(length) then return end
    table.insert(messages, rest:sub(1, tonumber(length)))
    pending = rest:sub(tonumber(length) + 1)
  end
end)

local function wait(wanted)
  local found
  vim.wait(120000, function()
    while #messages > 0 and not found do
      local message = vim.json.decode(table.remove(messages, 1))
      if wanted(message) then found = message end
    end
    return found ~= nil
  end, 10)
  return found or error("no answer")
end

local function ask(command, arguments)
  number = number + 1
  local text = vim.json.encode({ seq = number, type = "request", command = command, arguments = arguments })
  stdin:write("Content-Length: " .. #text .. "\r\n\r\n" .. text)
  local asked = number
  local answer = wait(function(message) return message.request_seq == asked end)
  if not answer.success then error(command .. ": " .. answer.message) end
  return answer.body
end

local function stopped() return wait(function(message) return message.event == "stopped" end).body end
local function line() return ask("stackTrace", { threadId = 1 }).stackFrames[1].line end

ask("initialize", { adapterID = "nvim", pathFormat = "path" })
ask("launch", { program = os.getenv("FOLDER") .. "/prog.py", cwd = os.getenv("FOLDER") })
ask("configurationDone", vim.empty_dict())
told.reason, told.failure = stopped().reason, line()
ask("stepBack", { threadId = 1 })
told.stepped, told.back = stopped().reason, line()
told.value = ask("evaluate", { expression = "(total, values)", frameId = 1 }).result
ask("disconnect", vim.empty_dict())
vim.fn.writefile({ vim.json.encode(told) }, os.getenv("FOLDER") .. "/told")
