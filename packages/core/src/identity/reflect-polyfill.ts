/**
 * @peculiar/x509 finds its algorithms through tsyringe, which throws on loading where `Reflect.getMetadata` is missing. The
 * polyfill is CommonJS, and bundlers run CommonJS where its importer's own code stands, which is behind everything else that
 * the importer imports. So it has an importer of its own, to be imported before the library, and listed in package.json as
 * the one module with side effects.
 */
import "reflect-metadata/lite"
