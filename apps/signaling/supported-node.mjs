/**
 * Ends the process with one sentence where Node cannot run TypeScript, which would otherwise end with
 * ERR_UNKNOWN_FILE_EXTENSION. JavaScript, since that Node must be able to read it; imported before any TypeScript.
 */
if (!process.features.typescript) {
  process.stderr.write(
    `Keymoot needs Node 22.18 or newer, and this is ${process.version}: run "npm ci", which brings Node 24 on Linux, or install Node 24.\n`,
  )
  process.exit(1)
}
