import { BUILT_APP, buildServerPackage, SERVER_PACKAGE } from "./packages/server-package.ts"

await buildServerPackage(SERVER_PACKAGE, BUILT_APP)
