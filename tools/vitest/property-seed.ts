/**
 * Seeds the properties of fast-check. `npm test` uses one fixed seed, so a failure belongs to the change that is tested.
 * `PROPERTY_SEED=random` searches elsewhere (`npm run test:deep`), and `PROPERTY_SEED=<number>` repeats one search.
 */
import * as fc from "fast-check"

const FIXED_SEED = 20_260_101
const asked = process.env["PROPERTY_SEED"]

if (asked !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: asked ? Number(asked) : FIXED_SEED })
