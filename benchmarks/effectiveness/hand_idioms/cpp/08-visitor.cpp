class Rose;
class Tulip;

class FlowerVisitor {
public:
    virtual ~FlowerVisitor() {}
    virtual void visit(Rose& rose) = 0;
    virtual void visit(Tulip& tulip) = 0;
};

class Flower {
public:
    virtual ~Flower() {}
    virtual void accept(FlowerVisitor& visitor) = 0;
};

class Rose : public Flower {
public:
    void accept(FlowerVisitor& visitor) override { visitor.visit(*this); }
};
