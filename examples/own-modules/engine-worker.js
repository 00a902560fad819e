/** The entry of the engine's worker in a browser. Nothing else imports it. */
import { startEngine } from "@keymoot/core/engine"
import { aesCtrHmac } from "./cipher.js"
import { freshStar } from "./key-agreement.js"

startEngine({ ciphers: [aesCtrHmac], keyAgreements: [freshStar] })
