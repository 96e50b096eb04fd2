-- Opens a file as a user does, and writes what the language server brings to OUT.
local command, file, out = vim.fn.json_decode(vim.env.COMMAND), vim.env.FILE, vim.env.OUT
local answers = {}
vim.cmd("edit " .. vim.fn.fnameescape(file))
local options = { name = "wherefrom", cmd = command, root_dir = vim.fn.fnamemodify(file, ":h") }
local id = vim.lsp.start and vim.lsp.start(options) or vim.lsp.start_client(options)
vim.lsp.buf_attach_client(0, id)
assert(vim.wait(60000, function() return vim.lsp.buf_is_attached(0, id) and vim.lsp.get_client_by_id(id).initialized end))
local function wait_for(number)
  assert(vim.wait(120000, function() return #vim.diagnostic.get(0) == number end), "no diagnostics")
end
local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local answer = vim.lsp.buf_request_sync(0, method, params, 60000)
  return answer[id].result
end
vim.cmd("write")
wait_for(1)
answers.diagnostic = vim.diagnostic.get(0)[1]
local lens = ask("textDocument/codeLens", {})[1]
answers.lens = lens.command.title
answers.hover = ask("textDocument/hover", { position = { line = 1, character = 2 } }).contents.value
ask("workspace/executeCommand", { command = "wherefrom.insertCredit", arguments = lens.command.arguments })
answers.lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
vim.fn.writefile({ vim.fn.json_encode(answers) }, out)
vim.cmd("qall!")
