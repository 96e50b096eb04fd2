@app.route("/api/bicycles", methods=["GET"])
def get_bicycles():
    bicycles = Bicycle.query.all()
    return jsonify([bicycle.to_dict() for bicycle in bicycles])


@app.route("/api/bicycles/<int:bicycle_id>", methods=["GET"])
def get_bicycle(bicycle_id):
    bicycle = Bicycle.query.get_or_404(bicycle_id)
    return jsonify(bicycle.to_dict())


@app.route("/api/bicycles", methods=["POST"])
def create_bicycle():
    data = request.get_json()
    if not data or "frame" not in data:
        return jsonify({"error": "frame is required"}), 400
    bicycle = Bicycle(frame=data["frame"], color=data.get("color"))
    db.session.add(bicycle)
    db.session.commit()
    return jsonify(bicycle.to_dict()), 201
