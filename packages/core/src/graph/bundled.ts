/**
 * The graphs that everybody has (decisions.md 10), as the text that an operator would write: `loop graph show --definition`
 * prints it to begin from. A test reads and checks it like every other.
 */
export const bundledGraphs: string = `version: 1
graphs:
  # The whole life of an issue, from what somebody wants to what is done.
  work-item:
    nodes:
      - id: intake
        title: Intake
        persona: pm
        task: >-
          Read the item, its thread and what it links to. Say in your own words what is wanted, for whom, and how one would notice
          that it is done. Ask what you cannot find out yourself.
        produces:
          - file: intake.md
            headings: [What is wanted, For whom, How we know it is done, Asked and assumed]
      - id: requirements
        title: Requirements
        persona: pm
        task: >-
          Write down what must be true when the work is done, each so that it can be checked, and what is left out on purpose.
        produces:
          - file: requirements.md
            headings: [Goal, Requirements, Out of scope, Assumptions]
      - id: design
        title: Design
        persona: [design, architect]
        task: >-
          Decide how the requirements are met: what people see, which parts change, which ways were weighed and why this one was taken.
        produces:
          - file: design.md
            headings: [Approach, What people see, Data and interfaces, Alternatives, Risks, Proof]
      - id: test-plan
        title: Test plan
        persona: qa
        task: >-
          Say for each requirement how it is tested, and what could go wrong that nobody asked about.
        produces:
          - file: test-plan.md
            headings: [Cases, Risks covered, Not tested]
      - id: tasks
        title: Tasks
        persona: dev
        task: >-
          Cut the work into steps of which each can be shown to work, in the order in which they are done.
        produces:
          - file: tasks.md
            headings: [Steps, Left for later]
      - id: implementation
        title: Implementation
        persona: dev
        task: >-
          Do the steps. Test what you change, commit, push, open a pull request and record it with loop sessions link-pr. Keep the
          execution log: what was done, what turned out otherwise than planned.
        produces:
          - file: execution-log.md
            headings: [Done, Deviations]
      - id: verification
        title: Verification
        persona: qa
        task: >-
          Run the test plan against what was built. Say for each case what you did and saw; what fails goes back before you go on.
        produces:
          - file: verification.md
            headings: [Results, Beyond the plan, Findings]
      - id: review
        title: Review
        persona: architect
        task: >-
          Read every pull request of the work item, in every repository, as somebody would who has to live with it. The critics
          judge it after your turn; answer each of their findings by a change or a reason.
        produces:
          - file: review.md
            headings: [Summary, Pull requests, Findings]
        critics: all
        scope: work-item
      - id: human-approval
        title: Approval
        persona: pm
        task: >-
          A person decides now. Answer what they ask on the thread, and change what they want changed.
        gate: human
        scope: work-item
      - id: complete
        title: Complete
        terminal: true
    edges:
      - [intake, requirements]
      - [requirements, design]
      - [design, test-plan]
      - [test-plan, tasks]
      - [tasks, implementation]
      - [implementation, verification]
      - [verification, review]
      - [review, human-approval]
      - [human-approval, complete]
      - { from: review, to: implementation, when: rejected }
      - { from: human-approval, to: implementation, when: rejected }

  # A pull request that is a work item by itself: somebody has begun already.
  pull-request:
    nodes:
      - id: implementation
        title: Implementation
        persona: dev
        task: >-
          Do what the pull request's title and description ask, on its branch. Test what you change, commit and push. Keep the execution log.
        produces:
          - file: execution-log.md
            headings: [Done, Deviations]
      - id: verification
        title: Verification
        persona: qa
        task: >-
          Test what the pull request promises, and what it might break. Say what you did and saw.
        produces:
          - file: verification.md
            headings: [Results, Beyond the plan, Findings]
      - id: review
        title: Review
        persona: architect
        task: >-
          Read the whole change. The critics judge it after your turn; answer each of their findings by a change or a reason.
        produces:
          - file: review.md
            headings: [Summary, Pull requests, Findings]
        critics: all
        scope: work-item
      - id: human-approval
        title: Approval
        persona: pm
        task: >-
          A person decides now. Answer what they ask on the thread, and change what they want changed.
        gate: human
        scope: work-item
      - id: complete
        title: Complete
        terminal: true
    edges:
      - [implementation, verification]
      - [verification, review]
      - [review, human-approval]
      - [human-approval, complete]
      - { from: review, to: implementation, when: rejected }
      - { from: human-approval, to: implementation, when: rejected }
`;
