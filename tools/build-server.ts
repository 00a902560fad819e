import { buildServerPackage } from "./packages/server-package.ts"

await buildServerPackage()
