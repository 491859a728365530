import { useEffect, useState } from 'react'

export type BrowserPermission = NotificationPermission | 'unsupported'

const read = (): BrowserPermission =>
  'Notification' in window && isSecureContext ? Notification.permission : 'unsupported'

/** Whether the browser may show notifications, also when that changes in its settings, and how to ask for it. */
export function useBrowserPermission(): [BrowserPermission, ask: () => Promise<BrowserPermission>] {
  const [permission, setPermission] = useState(read)
  useEffect(() => {
    const look = () => setPermission(read())
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [])
  const ask = async () => {
    await Notification.requestPermission()
    const answer = read()
    setPermission(answer)
    return answer
  }
  return [permission, ask]
}
