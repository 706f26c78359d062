import { useQuery } from "../core/address.ts";
import { Page } from "../parts/Page.tsx";
import { Rules } from "./Rules.tsx";

/** Which rules apply in a project, and why? */
export default function RulesPlace() {
  const { query, set } = useQuery();
  return (
    <Page title="Rules">
      <Rules
        project={query["project"]}
        path={query["path"]}
        prompt={query["prompt"]}
        command={query["command"]}
        text={query["text"]}
        keep={(tried) => set({ ...tried })}
        rule={query["rule"]}
        choose={(project) => set({ project, rule: undefined })}
        show={(rule) => set({ rule })}
      />
    </Page>
  );
}
