/**
 * `@keymoot/server`: the server of `apps/signaling` as one script of JavaScript, and the built web app. Its dependencies stay
 * outside, as npm installs them: an operator sees them, and npm's audit does.
 */
import { cpSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const ROOT = join(import.meta.dirname, "../..")
export const SERVER_PACKAGE = join(ROOT, "packages/server")
export const BUILT_APP = join(ROOT, "apps/web/dist")

/** Writes `dist` of the package into that directory. @param webDir the built web app */
export async function buildServerPackage(directory: string, webDir: string): Promise<void> {
  if (!existsSync(join(webDir, "integrity.json"))) throw new Error('The web app is not built. Run "npm run build:web".')
  const output = join(directory, "dist")
  rmSync(output, { recursive: true, force: true })
  const bundled = await rolldown({
    input: { "keymoot-server": join(ROOT, "apps/signaling/src/packed.ts") },
    platform: "node",
    tsconfig: false,
    resolve: { conditionNames: ["keymoot-source", "node", "import", "default"] },
    // Those of this repository are inside.
    external: /^(?!@keymoot\/)[@a-z]/u,
  })
  await bundled.write({ dir: output, format: "es", codeSplitting: false, entryFileNames: "[name].js" })
  await bundled.close()
  cpSync(webDir, join(output, "web"), { recursive: true })
}
