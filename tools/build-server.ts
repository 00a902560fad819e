import { buildServerPackage } from "./server-package.ts"

await buildServerPackage()
