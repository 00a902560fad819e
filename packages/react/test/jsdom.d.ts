/** As much of it as is used here. */
declare module "jsdom" {
  export class JSDOM {
    constructor(html: string)
    readonly window: Window & typeof globalThis
  }
}
