import type { Command, Section } from "../command.ts";

/** In the order of the overview, the man page and the documentation. Commands that are not named here come last. */
const SECTIONS: readonly (readonly [section: Section, title: string, order: readonly string[]])[] = [
  ["start", "Set up and look around", ["init", "install", "doctor", "web", "update", "uninstall"]],
  ["rules", "Rules and suggestions", ["rules", "review", "mute", "unmute", "mutes"]],
  ["notes", "Notes", ["note", "search", "read", "open", "recent", "list", "write", "edit", "move", "delete"]],
  ["sessions", "Sessions", ["sessions", "why", "start", "status", "log"]],
  ["more", "Settings and help", ["config", "project"]],
  ["agents", "For agents and shells", []],
];

export interface SectionOfCommands {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Commands without a section are not in any. */
export function sectionsOf(commands: readonly Command[]): SectionOfCommands[] {
  return SECTIONS.map(([section, title, order]) => {
    const placeOf = ({ name }: Command) => (order.includes(name) ? order.indexOf(name) : order.length);
    const own = commands.filter((one) => one.section === section);
    return { title, commands: own.sort((a, b) => placeOf(a) - placeOf(b)) };
  }).filter((one) => one.commands.length > 0);
}
