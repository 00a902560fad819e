import { configFromEnvironment, helpText } from "./config.ts"
import { startServer } from "./server.ts"
import { StartError } from "./start-error.ts"

async function main(): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument === "--help" || argument === "-h") {
    process.stdout.write(helpText())
    return
  }
  if (argument !== undefined) throw new StartError(`Unknown argument "${argument}": see --help.`)

  const server = await startServer(configFromEnvironment(process.env))
  // A second signal finds no listener and ends the process at once.
  const stop = () => {
    process.off("SIGINT", stop)
    process.off("SIGTERM", stop)
    // Whoever was handed a frame of the relay may be gone without having answered: that would be waited for.
    void server.close().then(() => process.exit())
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  process.stdout.write(`Keymoot is ready at ${server.url}\n`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
