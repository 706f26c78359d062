/** The applet that the address names, in the side panel; nothing if it names none. */
export function AppletPanel(_: { session?: { host: string; id: string } }) {
  return null;
}
