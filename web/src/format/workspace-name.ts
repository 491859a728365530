/** The name of this workspace (`WORKSPACE_NAME`), which the service writes into the page. */
export const workspaceName: string =
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? ''
