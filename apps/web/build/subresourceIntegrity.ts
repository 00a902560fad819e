import { createHash } from "node:crypto"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import type { Plugin } from "vite"
import { serviceWorker, versionOf, withVersion } from "./serviceWorker.ts"

type Integrity = Readonly<Record<string, string>>

/**
 * Ties the page to the scripts and the style that were built with it: `integrity` attributes for what the page itself names,
 * and an import map for every module that these load, now or later. Besides, `integrity.json` lists the hashes of all files,
 * to be compared with what was published, and `sw.js` keeps those that the page needs to open without its server. docs/signaling.md says what this does not cover.
 */
export function subresourceIntegrity(): Plugin {
  return {
    name: "subresource-integrity",
    apply: "build",
    enforce: "post",
    writeBundle: {
      order: "post",
      // The files as they lie there: earlier, other plugins may still change them.
      async handler({ dir }) {
        if (dir === undefined) throw new Error("The build has no directory.")
        const page = join(dir, "index.html")
        const built = await hashesOf(dir)
        const version = versionOf(built)
        await writeFile(page, withVersion(withIntegrity(await readFile(page, "utf8"), built), version))
        await writeFile(join(dir, "sw.js"), await serviceWorker(await hashesOf(dir), version))
        await writeFile(join(dir, "integrity.json"), `${JSON.stringify(await hashesOf(dir), null, 2)}\n`)
      },
    },
  }
}

/** Path, as a browser asks for it, to hash, as a browser checks it. */
async function hashesOf(directory: string): Promise<Integrity> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hashes: Record<string, string> = {}
  for (const file of files.toSorted()) {
    const path = `/${relative(directory, file).split(sep).join("/")}`
    hashes[path] = `sha384-${createHash("sha384")
      .update(await readFile(file))
      .digest("base64")}`
  }
  return hashes
}

/** @throws Error when the page names something that was not built */
export function withIntegrity(html: string, hashes: Integrity): string {
  const modules = Object.entries(hashes).filter(([path]) => path.endsWith(".js"))
  const importMap = JSON.stringify({ integrity: Object.fromEntries(modules) })
  const checked = html.replaceAll(
    /<(?:script|link)\b[^>]*\s(?:src|href)="(\/assets\/[^"]+)"[^>]*>/gu,
    (tag, path: string) => {
      const hash = hashes[path]
      if (hash === undefined) throw new Error(`The page names ${path}, which was not built.`)
      return tag.replace(/>$/u, ` integrity="${hash}">`)
    },
  )
  // It must stand before the first module, or a browser ignores it.
  const first = checked.search(/<script\b[^>]*type="module"|<link\b[^>]*rel="modulepreload"/u)
  if (first < 0) throw new Error("The page has no module.")
  return `${checked.slice(0, first)}<script type="importmap">${importMap}</script>\n    ${checked.slice(first)}`
}
