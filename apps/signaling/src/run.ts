import { networkInterfaces } from "node:os"
import { readyText } from "./addresses/ready-text.ts"
import { configFromEnvironment, helpText } from "./config.ts"
import { startServer } from "./server.ts"
import { StartError } from "./start-error.ts"

/** A terminal sends SIGHUP when it is closed. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

async function main(appDir: string): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument === "--help" || argument === "-h") {
    process.stdout.write(helpText())
    return
  }
  if (argument !== undefined) throw new StartError(`Unknown argument "${argument}": see --help.`)

  const config = configFromEnvironment(process.env, appDir)
  const server = await startServer(config)
  // A second signal finds no listener and ends the process at once.
  const stop = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop)
    // A receiver of a relayed frame may have disconnected without an answer. Its timeout would delay the exit.
    void server.close().then(() => process.exit())
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  const { host = "127.0.0.1", publicOrigins = [] } = config
  process.stdout.write(readyText({ url: server.url, host, publicOrigins, interfaces: networkInterfaces }))
}

/**
 * Runs the server as this process: reads arguments and environment, and stops on a signal.
 * @param appDir the built web app, served unless `WEB_DIR` names another one
 */
export async function run(appDir: string): Promise<void> {
  try {
    await main(appDir)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
