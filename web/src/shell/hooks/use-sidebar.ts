import { useState } from 'react'

const KEY = 'sidebar'

export interface SidebarState {
  /** Whether it shows icons only. */
  isCollapsed: boolean
  toggle: () => void
}

/** The state of the sidebar, which this browser remembers. */
export function useSidebar(): SidebarState {
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(KEY) === 'collapsed')
  const toggle = () => {
    setCollapsed(!isCollapsed)
    localStorage.setItem(KEY, isCollapsed ? 'expanded' : 'collapsed')
  }
  return { isCollapsed, toggle }
}
