-- Run by Neovim (0.7 or later): opens a file, asks for its slice, says what there is to see.
--     nvim --headless --clean -l neovim.lua, or -c 'luafile neovim.lua', with
--     STRIPE_SERVER (words, as JSON), STRIPE_FILE, STRIPE_INPUT
-- Writes one line of JSON to STRIPE_ANSWER. With STRIPE_TEST, the name of a test in the file, it asks for
-- suspects instead, and tries the first change.

local file = vim.env.STRIPE_FILE
local found = { messages = {}, progress = 0 }

local function finish()
  local out = io.open(vim.env.STRIPE_ANSWER, "w")
  out:write(vim.fn.json_encode(found))
  out:close()
  vim.cmd("qall!")
end

local handlers = {
  ["window/showMessage"] = function(_, result) table.insert(found.messages, result.message) end,
  ["$/progress"] = function() found.progress = found.progress + 1 end,
}

local function wait(what, condition)
  if not vim.wait(200000, condition, 20) then
    found.missing = what
    finish()
  end
end

local function main()
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({
    name = "stripe",
    cmd = vim.fn.json_decode(vim.env.STRIPE_SERVER),
    root_dir = vim.fn.fnamemodify(file, ":h"),
    handlers = handlers,
    settings = { stripe = { maxTests = tonumber(vim.env.STRIPE_TESTS) } },
  })
  vim.lsp.buf_attach_client(buffer, id)
  wait("the server", function() return vim.lsp.buf_is_attached(buffer, id) and vim.lsp.get_client_by_id(id).initialized end)
  local client = vim.lsp.get_client_by_id(id)
  local document = { uri = vim.uri_from_bufnr(buffer) }

  local function ask(method, params)
    local answer = client.request_sync(method, params, 200000, buffer)
    if answer == nil or answer.err then
      found.failed = method .. ": " .. vim.inspect(answer)
      finish()
    end
    return answer.result
  end

  local function titles()
    local lenses = {}
    for _, lens in ipairs(ask("textDocument/codeLens", { textDocument = document })) do
      table.insert(lenses, lens.command.title)
    end
    return lenses
  end

  found.before = titles()

  if vim.env.STRIPE_TEST then
    found.answer = ask("workspace/executeCommand", {
      command = "stripe.suspects",
      arguments = { { uri = document.uri, test = vim.env.STRIPE_TEST } },
    })
    local place = found.answer.places[1]
    vim.cmd("edit " .. vim.fn.fnameescape(vim.uri_to_fname(place.uri)))
    buffer = vim.api.nvim_get_current_buf()
    vim.lsp.buf_attach_client(buffer, id)
    wait("diagnostics", function() return #vim.diagnostic.get(buffer) > 0 end)
    found.diagnostic = vim.diagnostic.get(buffer)[1].message
    local range = { line = place.line - 1, character = 0 }
    local actions = ask("textDocument/codeAction", {
      textDocument = { uri = vim.uri_from_bufnr(buffer) },
      range = { start = range, ["end"] = range },
      context = { diagnostics = {} },
    })
    found.title = actions[1].title
    found.untouched = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
    found.tried = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    wait("the suspects to vanish", function() return #vim.diagnostic.get(buffer) == 0 end)
    vim.cmd("undo")
    wait("the suspects to come back", function() return #vim.diagnostic.get(buffer) > 0 end)
    found.done = true
    finish()
  end

  found.answer = ask("workspace/executeCommand", {
    command = "stripe.slice",
    arguments = { { uri = document.uri, stdin = vim.env.STRIPE_INPUT } },
  })
  wait("diagnostics", function() return #vim.diagnostic.get(buffer) > 0 end)
  found.diagnostics = {}
  for _, each in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found.diagnostics, {
      first = each.lnum + 1, last = each.end_lnum + 1, severity = each.severity, message = each.message,
    })
  end
  found.after = titles()
  found.hover = ask("textDocument/hover", {
    textDocument = document, position = { line = 8, character = 4 },
  }).contents.value
  found.hints = {}
  -- 0.7 does not show hints, but can ask for them.
  for _, hint in ipairs(ask("textDocument/inlayHint", {
    textDocument = document,
    range = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } },
  })) do
    table.insert(found.hints, (hint.position.line + 1) .. ": " .. hint.label)
  end

  -- Typing takes the slice away; undoing it brings it back.
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "# typed" })
  wait("the slice to vanish", function() return #vim.diagnostic.get(buffer) == 0 end)
  vim.cmd("undo")
  wait("the slice to come back", function() return #vim.diagnostic.get(buffer) > 0 end)
  found.done = true
  finish()
end

local ok, problem = pcall(main)
if not ok then
  found.failed = tostring(problem)
  finish()
end
