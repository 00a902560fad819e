/** The little of it that is used here. */
declare module "jsdom" {
  export class JSDOM {
    constructor(html: string)
    readonly window: Window
  }
}
