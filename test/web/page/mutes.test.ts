import { expect, it } from "vitest";
import { projectName, whereText } from "../../../src/web/page/given/mutes.ts";

it("a project is called by its folder, with git or without", () => {
  expect(projectName("/w/shop/.git")).toBe("shop");
  expect(projectName("/w/shop.git")).toBe("shop");
  expect(projectName("/w/notes")).toBe("notes");
  expect(whereText({ in: "project", project: "/w/shop/.git" })).toBe("in this project (shop)");
});
