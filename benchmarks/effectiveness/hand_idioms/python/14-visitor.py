class PlanVisitor(ABC):
    @abstractmethod
    def visit_step(self, node):
        pass

    @abstractmethod
    def visit_group(self, node):
        pass


class PlanPrinter(PlanVisitor):
    def visit(self, node):
        method = getattr(self, "visit_" + node.__class__.__name__.lower(), self.generic_visit)
        return method(node)

    def generic_visit(self, node):
        for child in node.children:
            self.visit(child)

    def visit_step(self, node):
        print(node.name)
